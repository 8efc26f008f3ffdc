label = f"{7:#06x} # not a note"
pattern = r"\#\s*(\w+)"
marks = r"""!"#$%&'()*+"""
