"""Dated, sourced figures of hardware, models and offers: one figure a row in `<kind>.csv`, read here.

`sources.csv` holds the addresses of the sources that the rows name by title.
"""

from tco.catalogue.dates import first_day, price_date_is_stale
from tco.catalogue.rows import Entry
from tco.catalogue.schema import KINDS
from tco.catalogue.store import Catalogue, catalogue
from tco.catalogue.tables import card, listing

__all__ = ["KINDS", "Catalogue", "Entry", "card", "catalogue", "first_day", "listing", "price_date_is_stale"]
