def scope(user):
    return False


def sсope(user):
    return True
