"""Pure functions from positions, games and statistics to text, JSON objects, HTML and plots.

==============  =====================================================================
style.py        the decorations that an output can show
board.py        boards as text
text.py         deals, actions and recorded games in words
json.py         the JSON objects that commands print
html.py, page/  a recorded game as an HTML page
summary.py      win rates as a table and as a plot
==============  =====================================================================
"""
