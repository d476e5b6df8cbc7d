/** Files by key. A key is ours: letters, digits, `-`, `_`, one dot, and never a path. */
export type Storage = {
  /** There, whole, when it returns. */
  put(key: string, bytes: Buffer, type: string): Promise<void>
  /** Null when there is none. */
  get(key: string): Promise<Buffer | null>
  /** Also when there is none. */
  remove(key: string): Promise<void>
  /** Removes what a crash has left half written before then; what is being written now is younger. */
  removeUnfinished(before: Date): Promise<void>
}
