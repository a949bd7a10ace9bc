/** A queue's tables in addition to the engine's: batches, records, ends of jobs, budgets and pauses of model calls. */

/** The statements that create our tables. Each process that opens the queue runs them under a database lock. */
export const createTables = `
  CREATE SCHEMA IF NOT EXISTS millwright;
  CREATE TABLE IF NOT EXISTS millwright.batches (
    id text PRIMARY KEY,
    spec jsonb NOT NULL,
    limits jsonb NOT NULL,
    state text NOT NULL DEFAULT 'running',
    opened_on timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS millwright.records (
    key text PRIMARY KEY,
    value text NOT NULL,
    recorded_on timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS millwright.ends (
    batch text NOT NULL,
    name text NOT NULL,
    attempt integer NOT NULL,
    worker text NOT NULL,
    output jsonb NOT NULL,
    ended_on timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (batch, name)
  );
  CREATE TABLE IF NOT EXISTS millwright.spending (
    id text PRIMARY KEY,
    batch text NOT NULL,
    usd double precision NOT NULL,
    tokens double precision NOT NULL,
    calls integer NOT NULL
  );
  CREATE INDEX IF NOT EXISTS spending_of_batch ON millwright.spending (batch);
  CREATE TABLE IF NOT EXISTS millwright.account_pauses (
    account text PRIMARY KEY,
    ends_on timestamptz NOT NULL
  );`;

/** The name of the engine's database schema. */
export const engineSchema = "millwright_jobs";

const jobsOf = (states: string): string =>
  `(SELECT count(*)::int FROM ${engineSchema}.job j WHERE j.name = b.id AND j.state IN (${states}))`;

export const listBatches = `
  SELECT b.id, b.spec, b.limits, b.state, ${jobsOf("'created', 'retry'")} AS waiting, ${jobsOf("'active'")} AS active,
    (SELECT count(*)::int FROM millwright.ends e WHERE e.batch = b.id) AS ended,
    (SELECT coalesce(jsonb_object_agg(lane, jobs), '{}') FROM (
      SELECT coalesce(group_id, '') AS lane, count(*) AS jobs FROM ${engineSchema}.job j
      WHERE j.name = b.id AND j.state IN ('created', 'retry') AND j.start_after <= now() GROUP BY 1
    ) AS lanes) AS ready
  FROM millwright.batches b ORDER BY b.opened_on, b.id`;

export const listActive = `SELECT data->>'name' AS name FROM ${engineSchema}.job WHERE name = $1 AND state = 'active'`;

/** SQL that lists the jobs that a worker ended, and those on which the engine gave up. */
export const listEnds = `
  SELECT name, output, worker FROM millwright.ends WHERE batch = $1
  UNION ALL
  SELECT data->>'name', NULL, '' FROM ${engineSchema}.job j WHERE j.name = $1 AND j.state = 'failed'
    AND NOT EXISTS (SELECT 1 FROM millwright.ends e WHERE e.batch = $1 AND e.name = data->>'name')`;

export const spentBy = `
  SELECT coalesce(sum(usd), 0)::float8 AS usd, coalesce(sum(tokens), 0)::float8 AS tokens, coalesce(sum(calls), 0)::int AS calls
  FROM millwright.spending WHERE batch = $1`;

export const listPauses = `
  SELECT account, ceil(extract(epoch FROM ends_on - now()) * 1000)::float8 AS ms
  FROM millwright.account_pauses WHERE ends_on > now()`;

export const pauseAccount = `
  INSERT INTO millwright.account_pauses (account, ends_on) VALUES ($1, now() + $2 * interval '1 millisecond')
  ON CONFLICT (account) DO UPDATE SET ends_on = greatest(account_pauses.ends_on, excluded.ends_on)`;

/**
 * SQL that stores the values ($5) under those of the keys ($4) that have no value, if the lease ($1 to $3) is held.
 * Locks the job, so that nobody else can lease it meanwhile. Selects each key's stored value, and whether the lease is
 * held. The value is null if another worker stored it meanwhile, or if the lease is lost and no value exists.
 */
export const recordHeld = `
  WITH lease AS (
    SELECT 1 FROM ${engineSchema}.job WHERE name = $1 AND id = $2::uuid AND retry_count = $3 AND state = 'active' FOR UPDATE
  ), asked AS (
    SELECT key, value FROM unnest($4::text[], $5::text[]) AS asked (key, value)
  ), added AS (
    INSERT INTO millwright.records (key, value) SELECT key, value FROM asked WHERE EXISTS (SELECT 1 FROM lease) ORDER BY key
    ON CONFLICT DO NOTHING RETURNING key, value
  )
  SELECT key, coalesce(added.value, known.value) AS value, EXISTS (SELECT 1 FROM lease) AS held
  FROM asked LEFT JOIN added USING (key) LEFT JOIN millwright.records known USING (key)`;
