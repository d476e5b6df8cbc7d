/** Files by key. Keys contain letters, digits, `-`, `_` and one dot, never a path. */
export type Storage = {
  /** Returns when the file is stored completely. */
  put(key: string, bytes: Buffer, type: string): Promise<void>
  /** Null when there is none. */
  get(key: string): Promise<Buffer | null>
  /** Succeeds when there is no such file. */
  remove(key: string): Promise<void>
  /** Removes partial files of crashed writes that are older than `before`. */
  removeUnfinished(before: Date): Promise<void>
}
