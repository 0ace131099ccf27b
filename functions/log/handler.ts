import { logCheckpoint, logConsistency, logProof, logTile } from '../../shared/action/log.ts';
import { api } from '../../shared/http/api.ts';
import { judging } from '../judging.ts';
import { endpoints } from './endpoints.ts';

export const handler = api(judging, endpoints, {
  'GET /log/checkpoint': logCheckpoint,
  'GET /log/tile/{level}/{part1}': logTile,
  'GET /log/tile/{level}/{part1}/{part2}': logTile,
  'GET /log/tile/{level}/{part1}/{part2}/{part3}': logTile,
  'GET /log/tile/{level}/{part1}/{part2}/{part3}/{part4}': logTile,
  'GET /log/proof': logProof,
  'GET /log/consistency': logConsistency,
});
