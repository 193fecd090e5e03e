import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Scanner;
import software.amazon.event.ruler.Machine;

/** Reads lines of `{"pattern": {}, "event": {}}`. Prints for each whether the pattern matches the event. */
@SuppressWarnings("deprecation")
public class EventRuler {
  public static void main(String[] args) throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    Scanner lines = new Scanner(System.in, "UTF-8");
    while (lines.hasNextLine()) {
      JsonNode input = mapper.readTree(lines.nextLine());
      Machine machine = new Machine();
      machine.addRule("pattern", input.get("pattern").toString());
      System.out.println(!machine.rulesForJSONEvent(input.get("event").toString()).isEmpty());
    }
  }
}
