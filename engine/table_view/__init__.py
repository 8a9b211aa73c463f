"""The view of a table. A position is laid out as panels. Panels are rendered as plain text, for a terminal, as SVG, or
as the frames of a whole game.

A table shows what one seat may see. Nothing here decides or explains moves.

build_panels.py     position → panels (view_model.py), by table.yaml or default_panels.py
visible_values.py   what a seat may see of a value
theme.py            codes, shapes, and colours of the members
plain_renderer.py   panels → plain text
rich_renderer.py    panels → terminal, with rich_*.py, panel_fitting.py, canvas.py, flow_layout.py, and board_*.py
svg_renderer.py     panels → SVG
panel_diff.py       differences between two tables"""
