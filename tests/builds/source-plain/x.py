async def f[T](x: T) -> None:
    match x:
        case {"a": [1, *rest]}:
            print(f"{x!r:>{10}}")
    async with a() as b, c():
        y = [z := 1 for _ in x]
