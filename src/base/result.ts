/** A problem to which an action or the user can react. Functions return it as data, and never throw it. */
export interface Failure<Kind extends string = string> {
  readonly ok: false;
  readonly kind: Kind;
  readonly message: string;
}

export interface Success<T> {
  readonly ok: true;
  readonly value: T;
}

export type Result<T, Kind extends string = string> = Success<T> | Failure<Kind>;

export function succeed<T>(value: T): Success<T> {
  return { ok: true, value };
}

export function fail<Kind extends string>(kind: Kind, message: string): Failure<Kind> {
  return { ok: false, kind, message };
}
