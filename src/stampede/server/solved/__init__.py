"""What is proven about Buffalo: the ladder, the certificates, and games against them."""
