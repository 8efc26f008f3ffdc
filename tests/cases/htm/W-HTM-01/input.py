"""<script>alert(1)</script> <img src=x onerror=alert(2)>"""
