import { allBalances } from '../../shared/action/all-balances.ts';
import { totals } from '../../shared/action/totals.ts';
import { api } from '../../shared/http/api.ts';
import { wiring } from '../wiring.ts';
import { endpoints } from './endpoints.ts';

export const handler = api(wiring, endpoints, {
  'GET /balances': allBalances,
  'GET /balances/totals': totals,
});
