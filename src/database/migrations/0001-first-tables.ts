import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

export async function createFirstTables(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create table refactor_bot.inbox (
      id text primary key,
      event text not null,
      payload json not null,
      received_at text not null,
      queued_at text,
      settled_at text,
      handled_as text,
      error text
    )`.execute(trx);
  await sql`create index inbox_not_queued on refactor_bot.inbox (received_at) where queued_at is null`.execute(trx);
  await sql`
    create table refactor_bot.run (
      id text primary key,
      repository text not null,
      installation text not null,
      issue_number integer not null,
      branch text not null,
      requested_at text not null,
      state text not null,
      pull_request integer,
      approved boolean not null,
      ready_at text not null,
      ledger_length integer not null,
      cancel_requested_by text,
      job_id uuid,
      job_attempt integer,
      unfinished_claims integer not null default 0
    )`.execute(trx);
  await sql`
    create unique index run_one_active_per_repository on refactor_bot.run (repository)
      where state in ('preparing', 'baseline', 'indexing', 'planning', 'executing', 'finalizing')`.execute(trx);
  await sql`create index run_of_repository on refactor_bot.run (repository, requested_at)`.execute(trx);
  await sql`
    create table refactor_bot.ledger (
      run text not null references refactor_bot.run (id),
      seq integer not null,
      version integer not null,
      at text not null,
      event json not null,
      primary key (run, seq)
    )`.execute(trx);
  await sql`
    create table refactor_bot.step (
      run text not null references refactor_bot.run (id),
      name text not null,
      output json not null,
      at text not null,
      primary key (run, name)
    )`.execute(trx);
  await sql`create table refactor_bot.content (hash text primary key, text bytea not null)`.execute(trx);
}
