"""The purchase request: a cover of one page, and the files it ties together.

    build(scenario, fleet)  →  Pack: names and contents of every file    pack.py
    amount.py               what is asked to be committed, tied to lines of the model
    rules.py                budget, approvers, quotes, dates, checks: each told
    cover.py                the page

`tco request` is its command; nothing else imports it.
"""
