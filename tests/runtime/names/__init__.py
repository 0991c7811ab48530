"""Every public function of Python's library and of NumPy's rooms, called with tensors."""
