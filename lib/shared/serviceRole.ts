import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  type PolicyStatement,
  Role,
  ServicePrincipal,
} from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";

/**
 * An AWS service's role with its permissions inline, as one resource. CDK's Role has a separate policy, which counts towards the stack's
 * resource limit, and the role exists for a moment without it.
 */
export class ServiceRole extends Role {
  private readonly rights: PolicyDocument;

  /** @param service such as `lambda.amazonaws.com`. */
  constructor(scope: Construct, id: string, service: string) {
    const rights = new PolicyDocument();
    super(scope, id, { assumedBy: new ServicePrincipal(service), inlinePolicies: { Rights: rights } });
    this.rights = rights;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.rights.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}
