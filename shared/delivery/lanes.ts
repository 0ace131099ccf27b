/**
 * Who waits for whom while deliveries are attempted. The events of one record go to one target one after the other. Of
 * the places that there are, each ledger has a share, and each target one of that; calls to bridges have places of
 * their own. Whoever waits is let in ledger by ledger, and within a ledger target by target. Rulings 59 and 61.
 */

/** What asks for a place. Calls to bridges and events have different ones. */
export interface Guest {
  readonly kind: 'call' | 'event';
  readonly scope: string;
}

/** For whom a place is asked. */
export interface Stay extends Guest {
  readonly target: string;
  /** What waits for each other on its way to the target. */
  readonly line: string;
  /** The target answered quickly when it was asked last: it need not share with those of whom nobody knows that. */
  readonly isProven?: boolean;
}

/** How many places there are, for calls and for events each. */
export interface Places {
  readonly all: number;
  readonly ofLedger: number;
  /** Of these, for targets that are not proven. */
  readonly ofUnproven: number;
  readonly ofTarget: number;
  /** How many may wait for one target. */
  readonly waiting: number;
}

/** What is waiting or running, by target. */
export interface Lanes {
  /**
   * Runs the task when its turn comes; false, at once, when too many wait for the target already. Tasks with the same
   * target and line run in the order in which they came. A task tells its own trouble; that it failed frees its place
   * like any other end.
   */
  readonly enter: (stay: Stay, task: () => Promise<void>) => boolean;
  /** How many run and wait for a target. */
  readonly countAt: (of: Omit<Stay, 'line'>) => number;
  /** How many run and wait of a ledger. */
  readonly countIn: (of: Guest) => number;
  /** Resolves when nothing waits or runs. */
  readonly idle: () => Promise<void>;
}

interface Waiting {
  readonly stay: Stay;
  readonly task: () => Promise<void>;
}

interface Target {
  running: number;
  /** Oldest first. */
  readonly waiting: Waiting[];
  /** The lines that a task is running for. */
  readonly busy: Set<string>;
}

interface Group {
  readonly kind: Guest['kind'];
  running: number;
  unproven: number;
  /** How many run and wait. */
  count: number;
  /** Whoever had a turn comes last. */
  readonly targets: Map<string, Target>;
}

/** All who run and wait. */
interface Hall {
  readonly places: Places;
  /** By kind and ledger; whoever had a turn comes last. */
  readonly groups: Map<string, Group>;
  readonly running: Record<Guest['kind'], number>;
  idlers: (() => void)[];
}

/** Lanes with so many places. */
export function lanes(places: Places): Lanes {
  const groups = new Map<string, Group>();
  const hall: Hall = { places, groups, running: { call: 0, event: 0 }, idlers: [] };
  return {
    enter: (stay, task) => enter(hall, { stay, task }),
    countAt: (of) => {
      const target = groups.get(nameOf(of))?.targets.get(of.target);
      return target ? target.running + target.waiting.length : 0;
    },
    countIn: (of) => groups.get(nameOf(of))?.count ?? 0,
    idle: () =>
      groups.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            hall.idlers.push(resolve);
          }),
  };
}

function enter(hall: Hall, entry: Waiting): boolean {
  const { stay } = entry;
  const group = hall.groups.get(nameOf(stay)) ?? newGroup(stay.kind);
  const target = group.targets.get(stay.target) ?? newTarget();
  if (target.waiting.length >= hall.places.waiting) return false;
  hall.groups.set(nameOf(stay), group);
  group.targets.set(stay.target, target);
  group.count += 1;
  target.waiting.push(entry);
  // Nobody else can begin because of it.
  startAt(hall, group, target);
  return true;
}

/** Starts the oldest task of a target whose line is not busy, while there is room for it; whether there was one. */
function startAt(hall: Hall, group: Group, target: Target): boolean {
  const { places, running } = hall;
  const hasRoom =
    running[group.kind] < places.all &&
    group.running < places.ofLedger &&
    target.running < places.ofTarget;
  if (!hasRoom) return false;
  const isFull = group.unproven >= places.ofUnproven;
  const index = target.waiting.findIndex(
    ({ stay }) => !target.busy.has(stay.line) && (stay.isProven || !isFull),
  );
  const [next] = index < 0 ? [] : target.waiting.splice(index, 1);
  if (next) run(hall, group, target, next);
  return next !== undefined;
}

function run(hall: Hall, group: Group, target: Target, { stay, task }: Waiting): void {
  const count = (by: 1 | -1): void => {
    hall.running[group.kind] += by;
    group.running += by;
    group.unproven += stay.isProven ? 0 : by;
    target.running += by;
  };
  count(1);
  target.busy.add(stay.line);
  toEnd(hall.groups, nameOf(stay), group);
  toEnd(group.targets, stay.target, target);
  const leave = (): void => {
    count(-1);
    target.busy.delete(stay.line);
    group.count -= 1;
    letIn(hall);
    if (target.running === 0 && target.waiting.length === 0) group.targets.delete(stay.target);
    if (group.targets.size === 0) hall.groups.delete(nameOf(stay));
    if (hall.groups.size > 0) return;
    for (const resolve of hall.idlers) resolve();
    hall.idlers = [];
  };
  void task().then(leave, leave);
}

/** Lets in whoever has room now: one of each ledger, and then the next. */
function letIn(hall: Hall): void {
  const startOneOf = (group: Group): boolean =>
    group.running < hall.places.ofLedger &&
    [...group.targets.values()].some((target) => startAt(hall, group, target));
  let isAny = true;
  while (isAny) isAny = [...hall.groups.values()].filter(startOneOf).length > 0;
}

function nameOf({ kind, scope }: Guest): string {
  return `${kind} ${scope}`;
}

function newGroup(kind: Guest['kind']): Group {
  return { kind, running: 0, unproven: 0, count: 0, targets: new Map() };
}

function newTarget(): Target {
  return { running: 0, waiting: [], busy: new Set() };
}

/** Whoever had a turn comes last. */
function toEnd<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name);
  map.set(name, value);
}
