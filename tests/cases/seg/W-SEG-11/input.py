# %% [markdown]
# Setup text
a = 1
#%%
def f():
    # %% inner
    return a
