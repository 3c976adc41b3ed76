"""Deals with unknown cards: their orders, and searches and proofs for each order.

An order says which unknown card is at which place. A deal with known cards results from each order.

=============  ======================================================================
orders.py      the orders of the unknown cards: all of them, or a random sample
lines.py       which orders a line of play wins
solving.py     ``solve_orders``: a search for each order
results.py     the results of ``solve_orders``
proving.py     ``prove_orders``: a proof for each order
=============  ======================================================================
"""

from __future__ import annotations

from .lines import orders_won
from .orders import Order, all_orders, order_count, sample_orders, unknown_places, with_order
from .proving import OrdersProof, prove_orders
from .results import FirstAction, OrderResult, OrdersResult
from .solving import OrdersLimits, OrdersProgress, solve_orders

__all__ = [
    "FirstAction",
    "Order",
    "OrderResult",
    "OrdersLimits",
    "OrdersProgress",
    "OrdersProof",
    "OrdersResult",
    "all_orders",
    "order_count",
    "orders_won",
    "prove_orders",
    "sample_orders",
    "solve_orders",
    "unknown_places",
    "with_order",
]
