scores = q @ k.T  # shape `[i, j]`
