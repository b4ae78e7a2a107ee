"""Values that every room shares: time, identity, errors, names, outcomes.

Import from the modules themselves (`firsthand.core.time`, …); this room has no façade.
"""
