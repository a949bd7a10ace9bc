/** A queue's tables in addition to the engine's: batches, records, ends of jobs, budgets and pauses of model calls. */

/**
 * The statements that create our tables. Each process that opens the queue runs them under a database lock. A trigger
 * keeps a batch's total equal to the sum of its spending. The sum includes workers of earlier versions. The statements
 * create the trigger together with the totals of the existing batches.
 */
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
  CREATE INDEX IF NOT EXISTS ends_in_order ON millwright.ends (batch, ended_on);
  CREATE TABLE IF NOT EXISTS millwright.spending (
    id text PRIMARY KEY,
    batch text NOT NULL,
    usd double precision NOT NULL,
    tokens double precision NOT NULL,
    calls integer NOT NULL
  );
  CREATE OR REPLACE FUNCTION millwright.add_to_batch() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE millwright.batches SET spent_usd = spent_usd + NEW.usd::numeric - coalesce(OLD.usd::numeric, 0),
        spent_tokens = spent_tokens + NEW.tokens::numeric - coalesce(OLD.tokens::numeric, 0),
        spent_calls = spent_calls + NEW.calls - coalesce(OLD.calls, 0)
      WHERE id = NEW.batch;
      RETURN NULL;
    END $$;
  DO $$
    BEGIN
      IF NOT EXISTS (SELECT 1 FROM pg_trigger WHERE tgname = 'add_to_batch' AND tgrelid = 'millwright.spending'::regclass) THEN
        ALTER TABLE millwright.batches ADD COLUMN IF NOT EXISTS spent_usd numeric NOT NULL DEFAULT 0,
          ADD COLUMN IF NOT EXISTS spent_tokens numeric NOT NULL DEFAULT 0,
          ADD COLUMN IF NOT EXISTS spent_calls numeric NOT NULL DEFAULT 0;
        LOCK TABLE millwright.spending IN SHARE ROW EXCLUSIVE MODE;
        UPDATE millwright.batches b SET spent_usd = s.usd, spent_tokens = s.tokens, spent_calls = s.calls FROM (
          SELECT batch, sum(usd::numeric) AS usd, sum(tokens::numeric) AS tokens, sum(calls) AS calls
          FROM millwright.spending GROUP BY batch
        ) s WHERE s.batch = b.id;
        CREATE TRIGGER add_to_batch AFTER INSERT OR UPDATE ON millwright.spending
          FOR EACH ROW EXECUTE FUNCTION millwright.add_to_batch();
      END IF;
    END $$;
  DO $$
    BEGIN
      IF NOT EXISTS (SELECT 1 FROM information_schema.columns WHERE table_schema = 'millwright' AND table_name = 'batches' AND column_name = 'openings') THEN
        ALTER TABLE millwright.batches ADD COLUMN IF NOT EXISTS budget text, ADD COLUMN IF NOT EXISTS openings integer NOT NULL DEFAULT 0;
      END IF;
    END $$;
  CREATE INDEX IF NOT EXISTS spending_of_batch ON millwright.spending (batch);
  CREATE TABLE IF NOT EXISTS millwright.account_pauses (
    account text PRIMARY KEY,
    ends_on timestamptz NOT NULL
  );`;

/** The name of the engine's database schema. */
export const engineSchema = "millwright_jobs";

/**
 * SQL that creates our index of the waiting jobs in the engine's table: by batch (`name`), lane (`group_id`), group
 * (`priority`) and start time.
 */
export const createIndex = `
  CREATE INDEX IF NOT EXISTS waiting_by_lane ON ${engineSchema}.job (name, group_id, priority, start_after)
  WHERE state < 'active'`;

const sinceMs = (time: string): string => `(extract(epoch FROM now() - ${time}) * 1000)::float8`;

/**
 * SQL that continues the cancelled batch $1, and gives its jobs new ids. Earlier leases then hold none of these jobs.
 */
export const reopenBatch =
  "UPDATE millwright.batches SET state = 'running', openings = openings + 1 WHERE id = $1 AND state = 'cancelled' RETURNING id";

/** SQL that deletes all jobs of the batch $1. */
export const deleteJobs = `DELETE FROM ${engineSchema}.job WHERE name = $1`;

/** SQL that selects how often the batch $1 was opened again, and locks this number until the transaction ends. */
export const findOpenings = "SELECT openings FROM millwright.batches WHERE id = $1 FOR SHARE";

/** SQL that selects the waiting jobs `j` of the batch `b` that a worker can lease now. */
const readyJobs = `${engineSchema}.job j WHERE j.name = b.id AND j.state < 'active' AND j.start_after <= now()`;

/** SQL that lists the batches. The query jumps from lane to lane in the database index, and counts nothing. */
export const listBatches = `
  SELECT b.id, b.spec, b.limits, b.state, ${sinceMs("b.opened_on")} AS "openedMs",
    (SELECT ${sinceMs("max(e.ended_on)")} FROM millwright.ends e WHERE e.batch = b.id) AS "quietMs",
    EXISTS (SELECT 1 FROM ${engineSchema}.job j WHERE j.name = b.id AND j.state <= 'active') AS "isLeft",
    ARRAY(
      WITH RECURSIVE lanes AS (
        (SELECT j.group_id FROM ${readyJobs} ORDER BY j.group_id LIMIT 1)
        UNION ALL
        SELECT (SELECT j.group_id FROM ${readyJobs} AND j.group_id > lanes.group_id ORDER BY j.group_id LIMIT 1)
        FROM lanes WHERE lanes.group_id IS NOT NULL
      ) SELECT group_id FROM lanes WHERE group_id IS NOT NULL
    ) AS ready
  FROM millwright.batches b ORDER BY b.opened_on, b.id`;

/** SQL that lists all jobs of the batch $1: those that a worker ended, and the engine's others. */
export const listJobs = `
  SELECT data->>'name' AS name,
    CASE WHEN state < 'active' THEN 'waiting' WHEN state = 'active' THEN 'active' ELSE 'lost' END AS state, NULL AS outcome
  FROM ${engineSchema}.job j WHERE j.name = $1 AND (state <= 'active' OR state = 'failed')
    AND NOT EXISTS (SELECT 1 FROM millwright.ends e WHERE e.batch = $1 AND e.name = data->>'name')
  UNION ALL SELECT name, 'ended', output->>'outcome' FROM millwright.ends WHERE batch = $1`;

/**
 * SQL that selects the group of the batch $1 from which a worker gets its next job. The worker prefers the groups $2,
 * and excludes the lanes $3 and the groups $4. In the engine's table, `priority` is our group, and `group_id` is our
 * lane.
 */
export const chooseGroup = `
  SELECT priority AS group FROM (
    SELECT priority, false AS active FROM ${engineSchema}.job WHERE name = $1 AND state < 'active'
      AND start_after <= now() AND group_id <> ALL($3::text[]) AND priority <> ALL($4::int[])
    UNION ALL
    SELECT priority, true FROM ${engineSchema}.job WHERE name = $1 AND state = 'active'
  ) AS jobs
  GROUP BY priority HAVING NOT bool_and(active)
  ORDER BY array_position($2::int[], priority), bool_or(active),
    count(*) FILTER (WHERE NOT active)::float8 / (count(*) FILTER (WHERE active) + 1) DESC
  LIMIT 1`;

export const listActive = `SELECT data->>'name' AS name FROM ${engineSchema}.job WHERE name = $1 AND state = 'active'`;

/**
 * SQL that raises a returned job's retry limit by one, so that the return does not count as a lost lease. After $5
 * returns, no worker can lease the job again. $1 to $3: the lease; $4: the allowed number of lost leases.
 */
export const excuseLease = `
  UPDATE ${engineSchema}.job
  SET retry_limit = CASE WHEN retry_limit - $4::int < $5::int THEN retry_limit + 1 ELSE retry_count END
  WHERE name = $1 AND id = $2::uuid AND retry_count = $3 AND state = 'active'`;

/**
 * SQL that delays a returned job. The first return has no delay, and the second two seconds. Each further return has
 * twice the last delay, up to $5 seconds. The number of returns is the retry limit minus $4.
 */
export const delayReturned = `
  UPDATE ${engineSchema}.job
  SET start_after = now() + interval '1 second' *
    CASE WHEN retry_limit - $4::int <= 1 THEN 0 ELSE least($5::int, 2 ^ least(20, retry_limit - $4::int - 1)) END
  WHERE name = $1 AND id = $2::uuid AND retry_count = $3 AND state = 'retry'`;

/**
 * SQL for the beginning of the last $2 milliseconds; without $2, of all time. The database can use an index only with
 * this form.
 */
const since = "coalesce(now() - $2::float8 * interval '1 millisecond', '-infinity')";

/** SQL that lists the jobs that ended in the last $2 milliseconds: a worker ended them, or the engine gave up. */
export const listEnds = `
  SELECT name, output, worker, NULL AS reason FROM millwright.ends WHERE batch = $1 AND ended_on >= ${since}
  UNION ALL
  SELECT data->>'name', NULL, coalesce(j.output->>'worker', ''), j.output->>'reason' FROM ${engineSchema}.job j WHERE j.name = $1 AND j.state = 'failed'
    AND j.completed_on >= ${since}
    AND NOT EXISTS (SELECT 1 FROM millwright.ends e WHERE e.batch = $1 AND e.name = data->>'name')`;

const amountNames = ["usd", "tokens", "calls"] as const;

/**
 * SQL that selects the batches that share the budget of the batch $1, under the name `b`. A batch without a named
 * budget has its own.
 */
const sharing = `millwright.batches b WHERE coalesce(b.budget, b.id) = (SELECT coalesce(budget, id) FROM millwright.batches WHERE id = $1)`;

export const spentBy = `
  SELECT sum(spent_usd)::float8 AS usd, sum(spent_tokens)::float8 AS tokens, sum(spent_calls)::int AS calls FROM ${sharing}`;

/**
 * SQL that reserves the amounts $3 to $5 for the batch $1 under the id $2. The batch's limits must allow the total of
 * all batches that share its budget. The statement locks these batches, so that it waits for other reservations and
 * reads their newest totals. Numbers are exact, because rounding errors would add up. Selects true if the amounts are
 * reserved, now or by an earlier call.
 */
export const holdAmounts = `
  WITH known AS (
    SELECT 1 FROM millwright.spending WHERE id = $2
  ), sharing AS (
    SELECT b.spent_usd, b.spent_tokens, b.spent_calls FROM ${sharing} ORDER BY b.id FOR UPDATE
  ), total AS (
    SELECT sum(spent_usd) AS usd, sum(spent_tokens) AS tokens, sum(spent_calls) AS calls FROM sharing
  ), room AS (
    SELECT 1 FROM millwright.batches own, total WHERE own.id = $1 AND NOT EXISTS (SELECT 1 FROM known)
    ${amountNames.map((name, at) => `AND (own.limits->>'${name}' IS NULL OR total.${name} + $${at + 3}::float8::numeric <= (own.limits->>'${name}')::numeric)`).join(" ")}
  ), added AS (
    INSERT INTO millwright.spending (id, batch, usd, tokens, calls) SELECT $2, $1, $3::float8, $4::float8, $5::int FROM room RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM known) OR EXISTS (SELECT 1 FROM added) AS held`;

/** SQL that selects a row if amounts are reserved under the id $1. */
export const findAmounts = "SELECT 1 FROM millwright.spending WHERE id = $1";

/** SQL that replaces the amounts under the id $1 by $2 to $4. A repetition changes nothing. */
export const settleAmounts = `
  UPDATE millwright.spending SET usd = $2::float8, tokens = $3::float8, calls = $4::int WHERE id = $1`;

export const listPauses = `
  SELECT account, ceil(extract(epoch FROM ends_on - now()) * 1000)::float8 AS ms
  FROM millwright.account_pauses WHERE ends_on > now()`;

export const pauseAccount = `
  INSERT INTO millwright.account_pauses (account, ends_on) VALUES ($1, now() + $2 * interval '1 millisecond')
  ON CONFLICT (account) DO UPDATE SET ends_on = greatest(account_pauses.ends_on, excluded.ends_on)`;

/**
 * SQL that stores the values ($5) under the keys ($4) that have no value yet. The lease ($1 to $3) must be held. Locks
 * the job, so that nobody else can lease it meanwhile. Selects each key's stored value, and whether the lease is held.
 * The value is null if another worker stored it meanwhile, or if the lease is lost and no value exists.
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

/**
 * SQL that lets jobs of the batch $1 wait for years. Earlier versions let the engine delete them after 14 days.
 */
export const keepWaiting = `
  UPDATE ${engineSchema}.job SET keep_until = now() + interval '10 years'
  WHERE name = $1 AND state < 'active' AND keep_until < now() + interval '1 year'`;

/** SQL that gives a leased job ($1 to $3) its worker's own duration of a lease, in seconds ($4). */
export const setHeartbeat = `
  UPDATE ${engineSchema}.job SET heartbeat_seconds = $4 WHERE name = $1 AND id = $2::uuid AND retry_count = $3`;
