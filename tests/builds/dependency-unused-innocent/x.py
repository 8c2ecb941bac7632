import yaml
from dotenv import load_dotenv
