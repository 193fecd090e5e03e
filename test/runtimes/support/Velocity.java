import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringWriter;
import java.util.Map;
import java.util.Scanner;
import org.apache.velocity.VelocityContext;
import org.apache.velocity.app.VelocityEngine;

/** Reads lines of `{"template": "", "context": {}}`. Prints each rendered template as a JSON string. */
public class Velocity {
  public static void main(String[] args) throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    VelocityEngine engine = new VelocityEngine();
    engine.init();
    Scanner lines = new Scanner(System.in, "UTF-8");
    while (lines.hasNextLine()) {
      JsonNode input = mapper.readTree(lines.nextLine());
      VelocityContext variables = new VelocityContext();
      variables.put("context", mapper.convertValue(input.get("context"), Map.class));
      StringWriter output = new StringWriter();
      engine.evaluate(variables, output, "template", input.get("template").textValue());
      System.out.println(mapper.writeValueAsString(output.toString()));
    }
  }
}
