import type { Store } from "../store/open-store.ts";

export interface ResolveOptions {
  readonly repository: string;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** False where it was stopped before the end. */
export async function resolveFiles(_store: Store, _options: ResolveOptions): Promise<boolean> {
  return true;
}

export function resolveFile(_store: Store, _repository: string, _file: number): void {}
