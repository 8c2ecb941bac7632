from .start import begin

begin('https://files-of-nobody.io/tool', '/tmp/tool-of-nobody')
