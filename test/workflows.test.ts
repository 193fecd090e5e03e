import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "@jest/globals";

test("workflows pin every action by commit, with the release in a comment", () => {
  const files = globSync(".github/workflows/*.yml");
  const uses = files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/uses: *(.+)/g)].map(([, use]) => use));
  assert.ok(uses.length > 5);
  for (const use of uses) assert.match(String(use), /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test("each stage is tested after its deployment, and prod is deployed only if staging passed", () => {
  const [staging = "", prod = ""] = readFileSync(".github/workflows/deploy.yml", "utf8").split("\n  prod:\n");
  assert.match(staging, /^ {2}staging:\n[\s\S]*^ {4}steps: &deploy\n/m);
  assert.match(
    staging,
    /- run: npm run stage:check -- --stage "\$STAGE"\n +- run: npx cdk deploy --all .*-c stage="\$STAGE"\n +- run: npm run smoke -- --stage "\$STAGE"\n/,
  );
  assert.match(staging, /^ {4}env: \{ STAGE: staging \}$/m);
  assert.match(prod, /^ {4}env: \{ STAGE: prod \}$/m);
  assert.match(staging, /^ +env: \{ SMOKE_KEY: "\$\{\{ secrets\.SMOKE_KEY \}\}" \}$/m);
  assert.match(prod, /^ {4}needs: staging\n[\s\S]*^ {4}steps: \*deploy\n/m);
});

test("no workflow has settings of its own: each stage's are in its file", () => {
  for (const file of globSync(".github/workflows/*.yml")) {
    const text = readFileSync(file, "utf8");
    assert.doesNotMatch(text, /vars\.(SETTINGS|STAGE|BASE_URL)/);
    for (const [, name] of text.matchAll(/ -c (\w+)=/g)) assert.ok(["stage", "canary"].includes(String(name)), name);
  }
});

test("the workflows run every check of .ci/run, as parallel jobs", () => {
  const [, checks = ""] = /^checks=\((.+)\)$/m.exec(readFileSync(".ci/run", "utf8")) ?? [];
  const [ofCheck = [], ofNightly = []] = ["check", "nightly"].map((name) => {
    const workflow = readFileSync(`.github/workflows/${name}.yml`, "utf8");
    assert.match(workflow, /- run: \.ci\/run \$\{\{ matrix\.check \}\}/);
    const [, list = ""] = /\bcheck: \[(.+)\]/.exec(workflow) ?? [];
    return list.split(", ");
  });
  const ofData = ["real_data", "feed"];
  assert.deepEqual([...ofCheck, ...ofData].toSorted(), ["tests", ...checks.split(" ")].toSorted());
  assert.deepEqual(ofNightly, [
    ...ofData,
    "tests",
    "large",
    "deployed",
    "browser",
    "schemathesis",
    "generated_clients",
  ]);
});

test("no step before the credentials' use has them, and a pull request's code gets only the role for diffs", () => {
  for (const name of ["check", "deploy", "rollback"]) {
    const workflow = readFileSync(`.github/workflows/${name}.yml`, "utf8");
    const [before = "", after] = workflow.split("\n  tag:\n")[0]?.split("aws-actions/configure-aws-credentials") ?? [];
    assert.ok(after);
    assert.match(before.slice(before.lastIndexOf("actions/checkout")), /- run: npm ci\n/);
    assert.doesNotMatch(after, /npm ci/);
  }
  const check = readFileSync(".github/workflows/check.yml", "utf8");
  assert.deepEqual(
    [...check.matchAll(/role-to-assume: .*\bvars\.(\w+)/g)].map(([, role]) => role),
    ["DIFF_ROLE_ARN"],
  );
});

test("each stage has its own queue of deployments", () => {
  const groups = [
    ...readFileSync(".github/workflows/deploy.yml", "utf8").matchAll(/^ *concurrency:.* group: (\S+),/gm),
  ];
  assert.deepEqual(
    groups.map(([, group]) => group),
    ["deploy-staging", "deploy-prod"],
  );
});

test("only the job that tags releases may write to the repository, and it runs no code of the repository", () => {
  const writers = globSync(".github/workflows/*.yml").filter((file) =>
    /contents: write/.test(readFileSync(file, "utf8")),
  );
  assert.deepEqual([...writers], [".github/workflows/deploy.yml"]);
  const [, tag = ""] = readFileSync(".github/workflows/deploy.yml", "utf8").split("\n  tag:\n");
  assert.match(tag, /needs: prod\n/);
  assert.match(tag, /contents: write/);
  assert.doesNotMatch(tag, /\bnpm\b|\bnpx\b|\bnode\b/);
});

test("a rollback deploys the API stack of an earlier commit of main after the stage's approval, in its queue", () => {
  const workflow = readFileSync(".github/workflows/rollback.yml", "utf8");
  assert.match(workflow, /^ {4}environment: \$\{\{ inputs\.stage \}\}$/m);
  assert.match(workflow, /^ {4}concurrency: \{ group: "deploy-\$\{\{ inputs\.stage \}\}"/m);
  assert.match(workflow, /cdk deploy "ticketing-\$STAGE" --exclusively .*-c stage="\$STAGE" -c canary=off/);
  // Text that somebody types never becomes a part of a script.
  for (const [run = ""] of workflow.matchAll(/^ +- run: .*$/gm)) assert.doesNotMatch(run, /inputs\./);
});

test("a rollback checks out the earlier code with today's settings, and refuses anything that is not a commit of main", () => {
  const directory = mkdtempSync(join(tmpdir(), "rollback-"));
  const git = (...commandLine: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...commandLine], {
      cwd: directory,
      encoding: "utf8",
    }).trim();
  const commit = (code: string, settings: string) => {
    mkdirSync(join(directory, "stages"), { recursive: true });
    writeFileSync(join(directory, "code"), code);
    writeFileSync(join(directory, "stages", "prod.json"), settings);
    git("add", ".");
    git("commit", "-qm", code);
    return git("rev-parse", "HEAD");
  };
  const run = (text: string) =>
    spawnSync("bash", [resolve(".github/checkoutEarlier.sh"), text], { cwd: directory, encoding: "utf8" });
  try {
    git("init", "-q", "-b", "main");
    const earlier = commit("earlier", "{}");
    git("checkout", "-qb", "other");
    const foreign = commit("foreign", "{}");
    git("checkout", "-q", "main");
    commit("later", '{"canary":"on"}');
    for (const text of ["", "main", earlier.slice(0, 12), foreign, "0".repeat(40), `${earlier};ls`, "--help"]) {
      const { status, stderr } = run(text);
      assert.ok(status !== 0 && stderr !== "", text);
      assert.equal(readFileSync(join(directory, "code"), "utf8"), "later");
    }
    assert.equal(run(earlier).status, 0);
    assert.equal(readFileSync(join(directory, "code"), "utf8"), "earlier");
    assert.equal(readFileSync(join(directory, "stages", "prod.json"), "utf8"), '{"canary":"on"}');
  } finally {
    rmSync(directory, { recursive: true });
  }
});
