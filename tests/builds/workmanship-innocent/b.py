def b(c: int) -> int:
    return c
