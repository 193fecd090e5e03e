/** Python programs that print what a guide's example has stored, as JSON: the rows of each type of resource. */
const printed = "\nprint(json.dumps(tables))";

const parquet = (library: string, reading: string) => `import json, ${library}, sys
tables = {type: ${reading} for type in sys.argv[1:]}${printed}`;

/** For copies whose nested values are texts. */
const parsed = `def parsed(row):
    return {name: json.loads(value) if isinstance(value, str) and value[:1] == "[" else value for name, value in row.items()}`;

/** Reads CSV files with the types of their columns. @param names of the types in a library, where they differ from ours. */
function csv(library: string, reading: string, names: Record<string, string>): string {
  const entries = Object.entries(names).map(([name, value]) => `"${name}": ${value}`);
  return `import json, os, sys, ${library}
from urllib.request import urlopen
${parsed}
names = {${entries.join(", ")}}
types = json.load(urlopen(os.environ["BASE_URL"] + "/openapi/types.json"))
def read(type):
    file = f"tickets.csv/{type}.csv"
    kinds = {name: column if column.isalnum() else "nested" for name, column in types[type].items()}
    columns = {name: names.get(kind, kind) for name, kind in kinds.items()}
    return [parsed(row) for row in ${reading}]
tables = {type: read(type) for type in sys.argv[1:]}${printed}`;
}

/** Folds the records of all runs, which are in files, as a destination does. */
const folded = `tables = {type: {} for type in sys.argv[1:]}
for file in ("first.jsonl", "second.jsonl"):
    for line in open(file) if os.path.exists(file) else []:
        message = json.loads(line)
        if message["type"] != "RECORD":
            continue`;

export const readers = {
  duckdb: parquet("duckdb", "duckdb.connect('tickets.duckdb').table(type).to_arrow_table().to_pylist()"),
  polars: parquet("polars", "polars.read_parquet(f'tickets.parquet/{type}.parquet').to_dicts()"),
  pyarrow: parquet("pyarrow.parquet", "pyarrow.parquet.read_table(f'tickets.parquet/{type}.parquet').to_pylist()"),
  pandas: parquet(
    "pandas, pyarrow",
    "pyarrow.Table.from_pandas(pandas.read_parquet(f'tickets.parquet/{type}.parquet', dtype_backend='pyarrow')).to_pylist()",
  ),
  duckdbCsv: csv(
    "duckdb",
    "duckdb.read_csv(file, dtype=columns, allow_quoted_nulls=False).to_arrow_table().to_pylist()",
    {
      nested: '"string"',
    },
  ),
  polarsCsv: csv("polars", "polars.read_csv(file, schema_overrides=columns).to_dicts()", {
    int64: "polars.Int64",
    double: "polars.Float64",
    string: "polars.String",
    bool: "polars.Boolean",
    nested: "polars.String",
  }),
  pandasCsv: csv(
    "pandas, pyarrow",
    "pyarrow.Table.from_pandas(pandas.read_csv(file, dtype=columns, keep_default_na=False, na_values=[''])).to_pylist()",
    { int64: '"Int64"', double: '"Float64"', string: '"string"', bool: '"boolean"', nested: '"string"' },
  ),
  sqlite: `import json, sqlite3, sys
${parsed}
db = sqlite3.connect("tickets.sqlite")
db.row_factory = sqlite3.Row
tables = {type: [parsed(dict(row)) for row in db.execute(f'SELECT * FROM "{type}"')] for type in sys.argv[1:]}${printed}`,
  dlt: `import duckdb, json, sys
${parsed}
db = duckdb.connect("dlt.duckdb")
stored = {name for (name,) in db.execute("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'copy'").fetchall()}
rows = lambda type: db.sql(f'FROM copy."{type}"').to_arrow_table().to_pylist() if type in stored else []
tables = {type: [parsed(row) for row in rows(type)] for type in sys.argv[1:]}${printed}`,
  singer: `import json, os, sys
${folded}
        row = message["record"]
        tables[message["stream"]][row["id"]] = None if row["change"] == "deleted" else {**row, **row["data"]}
tables = {type: [row for row in rows.values() if row] for type, rows in tables.items()}${printed}`,
  airbyte: `import json, os, sys
${folded}
        stream, row = message["record"]["stream"], message["record"]["data"]
        if stream in tables:
            tables[stream][row["id"]] = None if "_ab_cdc_deleted_at" in row else row
tables = {type: [row for row in rows.values() if row] for type, rows in tables.items()}${printed}`,
};

/** Runs Airbyte's manifest as its platform does: discovers the streams, reads them all from the stored state, and stores the next one. */
export const airbyteSync = `import json, os, subprocess, sys
from urllib.request import urlopen
manifest = json.load(urlopen(os.environ["BASE_URL"] + "/clients/airbyte-manifest.json"))
config = {"base_url": os.environ["BASE_URL"], "api_key": os.environ["API_KEY"], "__injected_declarative_manifest": manifest}
json.dump(config, open("config.json", "w"))
def run(*arguments):
    command = ["source-declarative-manifest", *arguments, "--config", "config.json"]
    lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    return [json.loads(line) for line in lines]
[status] = [message["connectionStatus"]["status"] for message in run("check") if message["type"] == "CONNECTION_STATUS"]
assert status == "SUCCEEDED", status
[catalog] = [message["catalog"] for message in run("discover") if message["type"] == "CATALOG"]
modes = lambda stream: {"sync_mode": stream["supported_sync_modes"][-1], "destination_sync_mode": "append_dedup"}
json.dump({"streams": [{"stream": stream, **modes(stream)} for stream in catalog["streams"]]}, open("catalog.json", "w"))
state = ["--state", "state.json"] if os.path.exists("state.json") else []
messages = run("read", "--catalog", "catalog.json", *state)
errors = [message["trace"]["error"] for message in messages if message["type"] == "TRACE" and "error" in message["trace"]]
if errors:
    sys.exit(json.dumps(errors))
json.dump([message["state"] for message in messages if message["type"] == "STATE"], open("state.json", "w"))
print("\\n".join(json.dumps(message) for message in messages if message["type"] == "RECORD"))`;
