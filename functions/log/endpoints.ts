/**
 * The endpoints of the log. Infra and localstack read this list; the handler answers all of it. The number of a tile has
 * a segment for each three digits, and a partial tile has one more for its width. C2SP tlog-tiles.
 */
export const endpoints = [
  'GET /log/checkpoint',
  'GET /log/tile/{level}/{part1}',
  'GET /log/tile/{level}/{part1}/{part2}',
  'GET /log/tile/{level}/{part1}/{part2}/{part3}',
  'GET /log/tile/{level}/{part1}/{part2}/{part3}/{part4}',
  'GET /log/proof',
  'GET /log/consistency',
] as const;
