def f(:
  return
