# Start
with scope():
    for n in sizes:
        class Layer:
            def run(self):
                # Deep
                return n
