"""Who looks, in which role, and how they sign in."""
