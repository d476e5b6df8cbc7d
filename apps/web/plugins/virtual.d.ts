declare module 'virtual:endpoints' {
  type Contract = typeof import('@plinth/contract').contract
  export const endpoints: {
    readonly [F in keyof Contract]: {
      readonly [N in keyof Contract[F]]: readonly [method: string, path: string]
    }
  }
}
