// Random playouts of two games written for boardgame.io, played through its Client as bots without a page play them.
//
//     node boardgameio.js FOLDER        (FOLDER: where its node_modules lies; without it the games are only checked for their form)
//
// Each line read is a slice that is asked for, {"game": "connect-four", "seconds": 0.5}, and is answered by one line: how many games were
// finished, how many moves they had, and the seconds that all threads of this process worked meanwhile. At the end of the input it is over.
// The first line written, before any is read, names the games.

'use strict';

const path = require('node:path');
const readline = require('node:readline');

const THREES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const WIDE = 7, HIGH = 6;
const WAYS = [[1, 0], [0, 1], [1, 1], [1, -1]];
const INVALID = 'INVALID_MOVE';      // what boardgame.io/core calls INVALID_MOVE; the games are there without the package too

// G.cells: nine places, each null or the player's id.
const ticTacToe = {
  name: 'tic-tac-toe',
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark({ G, playerID }, cell) {
      if (G.cells[cell] !== null) return INVALID;
      G.cells[cell] = playerID;
    },
  },
  endIf({ G, ctx }) {
    const { cells } = G;
    if (THREES.some(([a, b, c]) => cells[a] !== null && cells[a] === cells[b] && cells[a] === cells[c])) return { winner: ctx.currentPlayer };
    if (!cells.includes(null)) return { draw: true };
  },
  ai: {
    enumerate(G) {
      const moves = [];
      for (let cell = 0; cell < 9; cell++) if (G.cells[cell] === null) moves.push({ move: 'mark', args: [cell] });
      return moves;
    },
  },
};

// G.columns: for each of seven columns its discs from below, the player's id each. G.last: the column of the last disc.
const connectFour = {
  name: 'connect-four',
  setup: () => ({ columns: Array.from({ length: WIDE }, () => []), last: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop({ G, playerID }, column) {
      if (G.columns[column].length === HIGH) return INVALID;
      G.columns[column].push(playerID);
      G.last = column;
    },
  },
  endIf({ G, ctx }) {
    if (G.last === null) return;
    if (four(G.columns, G.last)) return { winner: ctx.currentPlayer };
    if (G.columns.every((column) => column.length === HIGH)) return { draw: true };
  },
  ai: {
    enumerate(G) {
      const moves = [];
      for (let column = 0; column < WIDE; column++) if (G.columns[column].length < HIGH) moves.push({ move: 'drop', args: [column] });
      return moves;
    },
  },
};

// Whether the topmost disc of a column is one of four in a row.
function four(columns, x) {
  const y = columns[x].length - 1, own = columns[x][y];
  const run = (dx, dy) => {
    let many = 0;
    for (let a = x + dx, b = y + dy; a >= 0 && a < WIDE && columns[a][b] === own; a += dx, b += dy) many++;
    return many;
  };
  return WAYS.some(([dx, dy]) => 1 + run(dx, dy) + run(-dx, -dy) >= 4);
}

const GAMES = { 'tic-tac-toe': ticTacToe, 'connect-four': connectFour };

// What plays one random game of `game` and returns the number of its moves.
function playout(Client, game) {
  const client = Client({ game, debug: false });
  return () => {
    client.reset();
    let moves = 0;
    for (let state = client.getState(); state.ctx.gameover === undefined; state = client.getState()) {
      const able = game.ai.enumerate(state.G, state.ctx);
      const { move, args } = able[Math.floor(Math.random() * able.length)];
      client.moves[move](...args);
      moves++;
    }
    return moves;
  };
}

// Seconds of the processor that this process, with the threads that collect and compile for it, has taken.
function spent() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function main(folder) {
  const { Client } = require(path.join(folder, 'node_modules', 'boardgame.io', 'client'));
  const players = Object.fromEntries(Object.entries(GAMES).map(([name, game]) => [name, playout(Client, game)]));
  console.log(JSON.stringify(Object.keys(players)));
  readline.createInterface({ input: process.stdin }).on('line', (line) => {
    const { game, seconds } = JSON.parse(line);
    const start = spent();
    let games = 0, moves = 0, taken = 0;
    while (taken < seconds) {
      moves += players[game]();
      games++;
      taken = spent() - start;
    }
    console.log(JSON.stringify({ games, moves, seconds: taken }));
  });
}

module.exports = { GAMES, four };
if (require.main === module) {
  if (process.argv.length > 2) main(process.argv[2]);
  else console.log(JSON.stringify(Object.keys(GAMES)));
}
