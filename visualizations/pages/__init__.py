"""Reports, charts and notebook forms, as HTML."""
