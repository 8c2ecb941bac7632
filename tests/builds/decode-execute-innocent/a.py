import base64, json, pickle


def read(token):
    return json.loads(base64.b64decode(token))


def load(path):
    with open(path, 'rb') as f:
        return pickle.load(f)
