/** A last sign-in as ISO 8601; null for the database's -infinity ("never"), which the driver reads as a number. */
export const lastLogin = (at: Date | number | null): string | null =>
  at instanceof Date && Number.isFinite(at.getTime()) ? at.toISOString() : null
