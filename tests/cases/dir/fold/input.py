# The sizes.
# pylit: fold
sizes = {
    # A comment inside is prose all the same.
    "small": 128,
}
# pylit: end


@cache
def report(
    name,
):  # pylit: fold
    """Its prose stays."""
    print(name)


if sizes:  # pylit: fold
    report("small")
else:
    report("none")

table = [  # pylit: fold
    1,
]
one = 1  # pylit: fold
