#!/usr/bin/env python3
# -*- coding: utf-8 -*-
# Real note
x = 1
