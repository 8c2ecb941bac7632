import pickle
import requests


def load(url):
    return pickle.loads(requests.get(url).content)
