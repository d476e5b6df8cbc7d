/** Whether a user can still sign in after a method was removed. */
export const hasOtherMethod = (left: { has_password: boolean; identities: number; others: number }) =>
  left.has_password || left.identities > 0 || left.others > 0
