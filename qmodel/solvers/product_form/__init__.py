"""Exact solution of product-form networks: mean value analysis, convolution, RECAL."""
