"""The rules of Buffalo on 64-bit words; `bridge` converts from and to the readable rules."""
