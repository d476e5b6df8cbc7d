import { writeFileSync } from 'node:fs'
import pg from 'pg'
import { describeSchema } from '../src/db/describe.ts'
import { startEmbedded } from '../src/db/embedded/start.ts'
import { migrate } from '../src/db/migrate.ts'
import { rolesOf } from '../src/db/roles.ts'

/** Writes src/db/schema.generated.ts from a new database. A test checks that it is current. */
const embedded = await startEmbedded({ dataDir: null })
const client = new pg.Client(embedded.connection)
await client.connect()
await migrate(client, rolesOf(null))
writeFileSync(new URL('../src/db/schema.generated.ts', import.meta.url), await describeSchema(client))
await client.end()
process.stdout.write('Written. To build an existing development database again, delete DATA_DIR.\n')
await embedded.close()
