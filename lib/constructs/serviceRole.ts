import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  type PolicyStatement,
  Role,
  ServicePrincipal,
} from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";

/**
 * What a service of AWS may do, as one resource: CDK's own role has a policy beside it, which counts against the resources of a stack, and
 * without which the role is there for a moment.
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
