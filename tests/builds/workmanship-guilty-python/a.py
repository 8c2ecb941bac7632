def a(b):
    return b


def c(d):
    return d
