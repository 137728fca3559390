"""Suppliers' quotes as offers of a scenario: read strictly, every doubt named with its cell.

offer = offer_from_file("quote.xlsx", Asked(told={"supplier": "Nordrack", "fleet": "own"}))
offer.yaml; add_offer(read("scenario.yaml"), offer)
"""

from tco.importing.quotes.cells import Asked
from tco.importing.quotes.offer import ReadOffer, offer_from_file
from tco.importing.quotes.writing import add_offer

__all__ = ["Asked", "ReadOffer", "add_offer", "offer_from_file"]
