/** This service as registered at the connection's provider. */
export type ServiceProvider = { entityId: string; acsUrl: string }

/** Values that a response must match. */
export type Expected = ServiceProvider & { idpEntityId: string; requestId: string; now: Date }
